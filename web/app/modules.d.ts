/** What only the build provides. */
declare module "virtual:look.css" {}
