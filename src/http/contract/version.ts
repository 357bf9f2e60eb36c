/** The version of the contract, which the command line shares: apart, so that it is known without loading the rest. */
export const API_VERSION = "0.1.0"
