import { cleanText, looksLikeInstructions } from '../../hostile-text.ts'
import { isGenuine } from '../risk/imitation.ts'
import type { HoneypotVerdict, Power, TokenPowers, TokenSource, TokenTaxes, Told } from '../token-analysis.ts'
import type { TokenFacts } from './token-facts.ts'

const REASON_CHARS = 120
const WITHHELD = 'withheld: the contract gives instructions to models, or hides something from people'

type Answers<T> = readonly (readonly [TokenSource, T | undefined])[]

/** The worst that a source tells. */
export function toTaxes({ security, simulation }: TokenFacts): TokenTaxes {
  const taxOf = (kind: 'buyTax' | 'sellTax' | 'transferTax') =>
    worstOf([
      ['honeypot.is', simulation.value?.[kind]],
      ['goplus', security.value?.[kind]],
      // What it tried alone may be spared a tax that others pay.
      ...(kind === 'sellTax' ? [['honeypot.is', simulation.value?.holders?.averageTax] as const] : []),
    ])
  return { buy: taxOf('buyTax'), sell: taxOf('sellTax'), transfer: taxOf('transferTax') }
}

export function toPowers(address: string, { security, simulation }: TokenFacts): TokenPowers {
  const found = security.value
  const simulated = simulation.value
  const goplus = (value: boolean | undefined): Answers<boolean> => [['goplus', value]]
  const answers: Readonly<Record<Power, Answers<boolean>>> = {
    canMint: goplus(found?.canMint),
    isProxy: [...goplus(found?.isProxy), ['honeypot.is', simulated?.isProxy]],
    hasHiddenOwner: goplus(found?.hasHiddenOwner),
    canTakeBackOwnership: goplus(found?.canTakeBackOwnership),
    canPauseTransfers: goplus(found?.canPauseTransfers),
    canBlacklist: goplus(found?.canBlacklist),
    canChangeBalances: goplus(found?.canChangeBalances),
    canChangeTax: [...goplus(found?.canChangeTax), ...goplus(found?.canChangeTaxOfOne)],
    isClosedSource: [...goplus(not(found?.isOpenSource)), ['honeypot.is', not(simulated?.isOpenSource)]],
    limitsSales: goplus(found?.cannotSellAll),
    canSelfDestruct: goplus(found?.canSelfDestruct),
  }
  const powers = Object.fromEntries(
    Object.entries(answers).map(([power, told]) => [power, worstOf(told)]),
  ) as Record<Power, Told<boolean> | undefined>
  return {
    ...powers,
    owner: ownerOf(found?.owner),
    isTrusted: found?.isTrusted === true || isGenuine(address),
  }
}

/** One source that says yes is enough; no needs one that says no and nobody who says yes. */
export function toHoneypot({ security, simulation }: TokenFacts): HoneypotVerdict {
  const told: HoneypotVerdict['told'] = [
    { source: 'honeypot.is', ...simulatedVerdict(simulation.value) },
    { source: 'goplus', verdict: wordOf(security.value?.isHoneypot), reason: undefined },
  ]
  const saying = (verdict: 'yes' | 'no') => told.filter((one) => one.verdict === verdict)
  const [yes, no] = [saying('yes'), saying('no')]
  const verdict = yes.length > 0 ? 'yes' : no.length > 0 ? 'no' : 'unknown'
  const by = (verdict === 'yes' ? yes : verdict === 'no' ? no : []).map(({ source }) => source)
  return { verdict, by, told, isDisputed: yes.length > 0 && no.length > 0 }
}

const wordOf = (isHoneypot: boolean | undefined): 'yes' | 'no' | 'unknown' =>
  isHoneypot === undefined ? 'unknown' : isHoneypot ? 'yes' : 'no'

function simulatedVerdict(simulated: TokenFacts['simulation']['value']) {
  const isHoneypot =
    simulated === undefined || simulated.verdict === 'inconclusive'
      ? undefined
      : simulated.verdict === 'honeypot'
  return { verdict: wordOf(isHoneypot), reason: shownReason(simulated?.reason ?? '') }
}

/** A contract chooses the words with which it refuses a sale. */
const shownReason = (words: string): string | undefined =>
  looksLikeInstructions(words) ? WITHHELD : cleanText(words, REASON_CHARS) || undefined

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value)

/** The largest figure, or the dangerous answer; the first of equal ones. */
function worstOf<T extends number | boolean>(answers: Answers<T>): Told<T> | undefined {
  const known = answers.flatMap(([source, value]) => (value === undefined ? [] : [{ source, value }]))
  return known.toSorted((a, b) => Number(b.value) - Number(a.value))[0]
}

function ownerOf(owner: string | undefined): TokenPowers['owner'] {
  if (owner === undefined) return undefined
  return { source: 'goplus', value: owner === 'none' ? 'renounced' : { address: owner } }
}
