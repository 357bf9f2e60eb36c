/** Refusals that must look the same whatever the reason: no answer tells whether an account or a token exists. */
import { AuthRequired, InvalidCredentials, InvalidToken } from "../failures.ts"

/** Unknown, used, expired and wrong-purpose tokens. */
export const refusedToken = () => new InvalidToken({ message: "This link is no longer valid. Ask for a new one.", field: "token" })

/** Unknown address, wrong password, account without one. */
export const refusedCredentials = () => new InvalidCredentials({ message: "The email or the password is wrong." })

/** The session ended while it was making something that would have outlived it. */
export const signedOut = () => new AuthRequired({ message: "Sign in first." })

/** Only for a signed-in caller, who gave no address. */
export const wrongPassword = () => new InvalidCredentials({ message: "The current password is wrong.", field: "current_password" })

/** The same for one who has none. */
export const noPassword = () => new InvalidCredentials({ message: "Your account has no password yet. Set one with a password reset.", field: "current_password" })
