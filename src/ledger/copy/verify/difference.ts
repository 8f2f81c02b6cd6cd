/** One thing that was looked up in both ledgers. */
export type Comparison = { what: string; source: string; target: string }

export const isSame = ({ source, target }: Comparison): boolean => source === target
