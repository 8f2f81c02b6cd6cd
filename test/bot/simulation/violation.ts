/** A promise that was broken, and where. */
export type Violation = { rule: string; subject: string }
