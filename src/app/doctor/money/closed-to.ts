/** What is wrong, and what to do, where the token lets nobody pay us. */
export const closedTo = (closure: string, variable: string): [what: string, next: string] => [
  `${closure}: nobody can pay`,
  `where all of USDC is paused, wait; else ask Circle, or set ${variable} to another address of yours and run ./tollbook adopt`,
]
