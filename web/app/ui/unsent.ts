/** Whether somebody's words stand in a field of the page, where leaving would lose them. What is searched for is no loss. */
type Field = HTMLInputElement | HTMLTextAreaElement

const typedIn = new Set<Field>()

addEventListener("input", ({ target }) => {
  if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.form !== null)) typedIn.add(target)
})

export const hasUnsent = (): boolean => {
  for (const field of typedIn) if (!field.isConnected) typedIn.delete(field)
  return [...typedIn].some(({ value }) => value !== "")
}
