import type { RiskReason } from '../tokens/token-analysis.ts'

/** Reasons whose own words would not pass the checks of a text: they name what those look for. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  hostile_name: 'Its name is written to mislead whoever reads it.',
}

/** A risk reason as texts say it. */
export const wordsOf = ({ code, words }: Pick<RiskReason, 'code' | 'words'>): string =>
  OTHER_WORDS[code] ?? words
