import type { BrokerName } from '../../ledger/ports/bot-book.ts'

/** Tokens of which the venue holds fewer shares than the ledger says. */
export type Differences = {
  /** Counted apart for each broker: both may hold a token, and one that agrees must not hide one that does not. */
  note(broker: BrokerName, tokenId: string, ledgerE6: bigint, venueE6: bigint): Difference
  /** After a reset: what is still so is news once more. */
  forget(): void
}

/** `isLasting`: for too long to be a delay; `news`: a sentence, said once for each pair of numbers. */
export type Difference = { isLasting: boolean; news: string | undefined }

/** A venue's own parts are a moment behind each other; three readings in a row are no moment. */
const TOLERATED_READINGS = 2
/** More tokens than one account can hold at a time in four coins. */
const MAX_TOKENS = 1_000

type Seen = { ledgerE6: bigint; venueE6: bigint; readings: number }

export function createDifferences(): Differences {
  const known = new Map<string, Seen>()
  return {
    note(broker, tokenId, ledgerE6, venueE6) {
      const key = `${broker} ${tokenId}`
      // Anybody can send shares to a wallet: more than ours is no loss, and must not stop us.
      if (venueE6 >= ledgerE6) {
        known.delete(key)
        return { isLasting: false, news: undefined }
      }
      const before = known.get(key)
      const isSame = before?.ledgerE6 === ledgerE6 && before.venueE6 === venueE6
      const readings = 1 + (isSame ? before.readings : 0)
      if (known.size < MAX_TOKENS || before) known.set(key, { ledgerE6, venueE6, readings })
      const isNews = readings === TOLERATED_READINGS + 1
      return {
        isLasting: readings > TOLERATED_READINGS,
        news: isNews ? textOf(tokenId, ledgerE6, venueE6) : undefined,
      }
    },
    forget: () => known.clear(),
  }
}

const textOf = (tokenId: string, ledgerE6: bigint, venueE6: bigint): string =>
  `the ledger has ${Number(ledgerE6) / 1e6} shares of token ${tokenId}, the venue ${Number(venueE6) / 1e6}: find out why before you reset`
