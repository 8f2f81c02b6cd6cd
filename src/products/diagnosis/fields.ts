import { z } from 'zod'
import { VERDICTS } from '../../intel/diagnosis/verdict.ts'
import { RISK_RATINGS } from '../../intel/tokens/token-analysis.ts'
import { FALLBACK_REASONS } from '../../intel/writer/assignment.ts'
import { Source, Timestamp } from '../fields.ts'
import { Method } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { Identity } from '../tokens/fields.ts'

const Readiness = z.object({
  verdict: z
    .enum(VERDICTS)
    .describe('By rules, never by a model. unknown: too little is known to call it either way'),
  reasons: z.array(z.object({ code: z.string(), words: z.string() })).describe('What decided, worst first'),
  method: Method,
})

const FindingFields = z.object({
  text: z.string(),
  kind: z.enum(['risk', 'gap', 'observation']).describe('gap: something that is not known'),
  severity: z.enum(RISK_RATINGS).nullable().describe('Of the worst risk among its facts; null without one'),
  facts: z.array(z.string()).min(1).describe('Ids of the facts that it rests on'),
})

const FactFields = z.object({
  id: z.string(),
  says: z.string(),
  value: z.union([z.number(), z.string(), z.boolean()]).describe('Numbers have three significant digits'),
  unit: z.enum(['usd', 'percent', 'count', 'days', 'hours', 'score']).nullable(),
  source: Source,
})

const WrittenBy = z.object({
  written_by: z
    .string()
    .describe('rules, or the name of the language model that phrased analysis and findings'),
  fallback_reason: z
    .enum(FALLBACK_REASONS)
    .nullable()
    .describe(
      'Why rules wrote it; null where a model did. text_refused: what the model wrote did not pass the checks',
    ),
})

export const DiagnosisReply = z.object({
  timestamp: Timestamp.describe("The market data's own time"),
  source: Source,
  ...Identity.shape,
  name_withheld: z.boolean().describe('true: name and symbol read like a message, so they are left out'),
  trade_readiness: Readiness,
  risk_rating: z.enum(RISK_RATINGS),
  score: z.number().min(0).max(100).describe('Higher is better'),
  analysis: z.string().min(1).describe('For people. Every number in it is one of the facts, perhaps rounded'),
  findings: z.array(FindingFields).min(1),
  facts: z.array(FactFields).describe('Everything that the texts may say'),
  ...WrittenBy.shape,
  parts: z.array(PartFields).describe('What each source gave, or why it did not'),
})
