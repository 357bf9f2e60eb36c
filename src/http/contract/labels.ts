/** The form of a host's label (RFC 1123 §2.1), lower case: anything else names no project, so nobody looks it up. */
export const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
