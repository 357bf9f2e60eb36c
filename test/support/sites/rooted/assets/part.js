export const said = (answer, face) => `The answer is ${answer}, set in ${face ? "its" : "no"} face`
