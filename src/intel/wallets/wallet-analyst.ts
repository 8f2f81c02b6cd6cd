import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { createKeyedSource } from '../../upstreams/keyed-source.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { rateWallet } from './rate-wallet.ts'
import { scoreWallet } from './score-wallet.ts'
import type { WalletAnalysis, WalletFigures } from './wallet-analysis.ts'
import type { FiguresReader } from './wallet-figures.ts'

export type WalletAnalyst = {
  /** Throws `upstream_unavailable` while what it cannot do without is missing. The address may be in any case. */
  analyse(wallet: string): Promise<WalletAnalysis>
  /** The same until an analysis could differ. */
  state(wallet: string): unknown
}

/** An analysis is served so long, whatever it rests on. */
const KEPT_MS = 15 * SECOND_MS
/** One with gaps: what was late is read on, and whoever asks again must not pay for the same gap. */
const KEPT_WITH_GAPS_MS = 2 * SECOND_MS
const KEPT_WALLETS = 200

type Ports = { figures: FiguresReader; clock: Clock; random: () => number }

export function createWalletAnalyst({ figures, clock, random }: Ports): WalletAnalyst {
  const analyses = createKeyedSource({
    clock,
    random,
    softMs: keptMs,
    hardMs: keptMs,
    capacity: KEPT_WALLETS,
    fetch: async (wallet) => judgeWallet(await figures.read(wallet)),
  })
  return {
    async analyse(given) {
      const wallet = given.toLowerCase()
      try {
        return (await analyses.read(wallet)).value
      } catch (cause) {
        if (!(cause instanceof UpstreamError)) throw cause
        throw new ServiceError(
          'upstream_unavailable',
          `what ${wallet} holds could not be looked up right now; nothing was charged`,
          { cause },
        )
      }
    },
    state(wallet) {
      const last = analyses.last(wallet.toLowerCase())
      // Something has to be read: like nothing before.
      return last && clock.now() - last.asOfMs <= keptMs(last.value) ? last.asOfMs : {}
    },
  }
}

const keptMs = (analysis: WalletAnalysis): number => (hasGaps(analysis) ? KEPT_WITH_GAPS_MS : KEPT_MS)

/** A part is missing, or some who may take tokens could not be looked up in time. */
const hasGaps = ({ parts, approvals }: WalletAnalysis): boolean =>
  Object.values(parts).some(({ status }) => status === 'missing') ||
  (approvals?.open.some(({ spenderKind }) => spenderKind === 'unknown') ?? false)

/** Everything that is said of a wallet follows from its figures alone. */
export function judgeWallet(figures: WalletFigures): WalletAnalysis {
  const risk = rateWallet(figures)
  return { ...figures, risk, score: scoreWallet(figures, risk) }
}
