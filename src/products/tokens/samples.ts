import { judge } from '../../intel/tokens/token-analyst.ts'
import { isoTime } from '../fields.ts'
import { sampleFigures } from './sample-figures.ts'
import {
  toHolders,
  toHoneypot,
  toIdentity,
  toMarket,
  toParts,
  toPowers,
  toRisk,
  toScore,
  toSource,
  toTaxes,
} from './shown-analysis.ts'

// Made by the code that makes the replies, so that the sums of the examples are right.

export const analysis = judge(sampleFigures)
const sourceOf = (source: string) => source
const shared = {
  timestamp: isoTime(analysis.asOfMs),
  source: toSource(analysis, sourceOf),
  ...toIdentity(analysis),
  parts: toParts(analysis, sourceOf),
}

export const sampleAnalysis = {
  ...shared,
  decimals: sampleFigures.identity.decimals ?? null,
  total_supply: sampleFigures.identity.totalSupply ?? null,
  ...toMarket(analysis),
  holders: toHolders(analysis, sourceOf),
  taxes: toTaxes(analysis, sourceOf),
  powers: toPowers(analysis),
  honeypot: toHoneypot(analysis, sourceOf),
  risk: toRisk(analysis, sourceOf),
  score: toScore(analysis),
}

const { value, ...score } = toScore(analysis)
export const sampleScore = { ...shared, score: value, ...score, risk: toRisk(analysis, sourceOf) }
