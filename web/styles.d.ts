/** CSS files are imported for their side effect alone. */
declare module "*.css" {}
