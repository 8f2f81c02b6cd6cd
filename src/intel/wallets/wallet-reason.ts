import type { RiskRating } from '../tokens/token-analysis.ts'
import type { WalletReason } from './wallet-analysis.ts'

export const walletReason = (
  code: string,
  severity: RiskRating,
  words: string,
  evidence: string,
): WalletReason => ({ code, severity, words, evidence })
