import { z } from 'zod'
import { wireArray, wireText } from '../../upstreams/wire/text.ts'
import { VERDICTS } from './verdict.ts'

/** Stands in texts for the name of the token, which is put in only after they were checked. */
export const TOKEN_MARK = '{token}'

export const ANALYSIS_CHARS = { min: 80, max: 1_800 }
export const FINDING_CHARS = { min: 10, max: 320 }
export const MAX_FINDINGS = 8
const MAX_CITED = 8
const MAX_ID_CHARS = 64

/** What is written about a token, by a model or by rules. */
export const Draft = z.strictObject({
  verdict: z.enum(VERDICTS),
  analysis: wireText(ANALYSIS_CHARS.max, ANALYSIS_CHARS.min),
  findings: wireArray(
    z.strictObject({
      text: wireText(FINDING_CHARS.max, FINDING_CHARS.min),
      /** Ids of the facts that it rests on. */
      facts: wireArray(wireText(MAX_ID_CHARS, 1), MAX_CITED, 1),
    }),
    MAX_FINDINGS,
    1,
  ),
})
export type Draft = z.output<typeof Draft>
export type DraftFinding = Draft['findings'][number]
