/** What is to be called at the end, the last one first. */
export type Stops = (() => Promise<void> | void)[]
