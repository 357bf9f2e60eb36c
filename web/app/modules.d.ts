/** What only the build knows. */
declare module "virtual:look.css" {}
