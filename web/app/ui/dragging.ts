/** Whether something can be carried onto the page: a finger alone has only buttons. */
export const canDrag = (): boolean => matchMedia("(any-pointer: fine)").matches
