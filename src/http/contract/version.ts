/** The version of the contract and of the command line, in a file of its own so that it is known without loading the rest. */
export const API_VERSION = "0.1.0"
