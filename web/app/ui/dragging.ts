/** Files and other things that are carried onto the page. */

/** A finger alone has only buttons. */
export const canDrag = (): boolean => matchMedia("(any-pointer: fine)").matches

export const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true

/** The browser would open a file that nothing here takes, in place of the app. What takes files says so after this, in its own listener. */
export const refuseFiles = (): void => {
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = "none"
  })
  addEventListener("drop", (event) => carriesFiles(event) && event.preventDefault())
}
