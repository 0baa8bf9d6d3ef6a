/** True in the static site, which has no service behind it. */
declare const __SITE__: boolean;
