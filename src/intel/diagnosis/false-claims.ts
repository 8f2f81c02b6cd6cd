import type { Fact } from '../writer/fact.ts'

// Statements without a number that decide whether somebody loses money: on selling, owner, lock, tax and new tokens.
// Each is allowed only where a fact says the same; where nothing is known, none is.

type Facts = ReadonlyMap<string, Fact>
type Claim = { on: string; says: RegExp; isTrue: (facts: Facts) => boolean }

const HOLDERS = '(?:holders?|buyers?|owners?|traders?|anyone|anybody|everyone|everybody|people|one|it)'
const SELLING = '(?:sell(?:ing)?|sales?|exit(?:s|ing)?)'
const GIVEN_UP = '(?:given (?:up|away)|gave up|renounc\\w+|relinquish\\w*|abandon\\w*|surrender\\w*)'
/** What turns a statement into its opposite, up to three words before it. */
const NOT = '(?:not|never|no|nor|neither|none|nobody|hardly|without|cannot)'
const UNLESS_NOT = `(?<!\\b${NOT} (?:[\\w-]+ ){0,3})`

/** Where a lock counts as one. The same bound as for a strength. */
const LOCKED_PERCENT = 90
/** A tax up to this is low; `tokens.md` calls it medium from here on. */
const LOW_TAX_PERCENT = 5
const TAXES = ['buy_tax_percent', 'sell_tax_percent', 'transfer_tax_percent'] as const

const numberOf = (facts: Facts, id: string): number => {
  const value = facts.get(id)?.value
  return typeof value === 'number' ? value : Number.NaN
}
const is = (id: string, value: string) => (facts: Facts) => facts.get(id)?.value === value
/** Those on purchases and sales must be known; the one on transfers often is not. */
const areTaxes = (facts: Facts, upTo: number) =>
  TAXES.every((id) => numberOf(facts, id) <= upTo || (id === 'transfer_tax_percent' && !facts.has(id)))
const anyOf = (...patterns: readonly string[]) => new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'i')

const CLAIMS: readonly Claim[] = [
  {
    on: 'selling',
    says: anyOf(
      'can (?!not |never |hardly |no longer )(?:[\\w-]+ ){0,2}?be (?:[\\w-]+ ){0,2}?(?:sold|resold|liquidated|exited)',
      `${HOLDERS} (?:can|may|could|are able to|is able to|are free to) (?!not |never |hardly )(?:[\\w-]+ )?(?:sell|exit)`,
      '(?:sells?|sold|sellable|tradable|tradeable) (?:freely|normally|easily|at any time|without)',
      `${UNLESS_NOT}(?:sellable|(?:possible|easy|free) to (?:sell|exit))`,
      `${SELLING} (?:works?|(?:is|are) (?:[\\w-]+ )?(?:possible|open|free|unrestricted|easy|allowed|fine|(?:not|never|un) ?(?:blocked|restricted|limited|prevented|hindered)))`,
      `no (?:[\\w-]+ ){0,2}?(?:restrictions?|limits?|limitations?|obstacles?|barriers?|problems?|trouble) (?:on|to|for|with|in) ${SELLING}`,
      `nothing (?:keeps|prevents|stops|hinders) (?:[\\w-]+ ){0,3}?(?:from )?${SELLING}`,
      `${NOT} (?:[\\w-]+ ){0,4}?honey ?-?pot`,
    ),
    isTrue: (facts) => is('selling', 'can be sold')(facts) && !facts.has('risk.limits_sales'),
  },
  {
    on: 'selling',
    says: anyOf(
      '(?:cannot|can never|can no longer|can hardly) (?:[\\w-]+ ){0,2}?be (?:[\\w-]+ )?(?:sold|resold|liquidated)',
      `${HOLDERS} (?:cannot|can never|can no longer) (?:[\\w-]+ )?(?:sell|exit)(?! everything| all)`,
      'nobody can (?:sell|exit)',
      'unsellable|impossible to (?:sell|exit)',
      `${SELLING} (?:is|are) (?:[\\w-]+ )?(?:blocked|impossible|prevented|not possible)`,
      `${UNLESS_NOT}honey ?-?pot`,
    ),
    isTrue: is('selling', 'cannot be sold'),
  },
  { on: 'the owner', says: anyOf(`${UNLESS_NOT}${GIVEN_UP}`), isTrue: is('owner', 'given up') },
  {
    on: 'the owner',
    says: anyOf(
      'ownerless|(?:no|without an?) (?:active |current )?owner|(?:nobody|no one) (?:owns|controls)',
      'owner(?:ship)? (?:is|was|has been) (?:gone|removed|burnt|burned|dropped)',
    ),
    isTrue: (facts) =>
      is('owner', 'given up')(facts) &&
      !facts.has('risk.can_take_back_ownership') &&
      !facts.has('risk.hidden_owner'),
  },
  {
    on: 'the owner',
    says: anyOf(
      `${NOT} (?:[\\w-]+ ){0,3}?${GIVEN_UP}`,
      '(?:has|have|keeps|with|is) an (?:active )?owner',
      'owner (?:still|keeps|retains|remains|is active|controls)|owner-controlled',
    ),
    isTrue: is('owner', 'held'),
  },
  {
    on: 'the lock',
    says: anyOf(
      `${UNLESS_NOT}(?:locked|burnt|burned|time-?locked)`,
      'liquidity (?:[\\w-]+ ){0,3}?(?:cannot|can never) (?:[\\w-]+ ){0,3}?(?:removed|withdrawn|pulled|taken|drained)',
    ),
    isTrue: (facts) => numberOf(facts, 'locked_liquidity_percent') >= LOCKED_PERCENT,
  },
  {
    on: 'the lock',
    says: anyOf('unlocked', `${NOT} (?:[\\w-]+ ){0,3}?(?:locked|burnt|burned)`),
    isTrue: (facts) => numberOf(facts, 'locked_liquidity_percent') < LOCKED_PERCENT,
  },
  {
    on: 'the tax',
    says: anyOf(
      `${NOT} (?:[\\w-]+ ){0,4}?(?:tax(?:es|ed)?|fees?)`,
      '(?:zero|nil) (?:[\\w-]+ )?(?:tax(?:es)?|fees?)',
      'tax-?free|tax free|free of (?:any )?(?:tax(?:es)?|fees?)|untaxed',
      'tax(?:es)? (?:[\\w-]+ ){0,3}?(?:zero|nil|absent|none|nothing)',
    ),
    isTrue: (facts) => areTaxes(facts, 0),
  },
  {
    on: 'the tax',
    says: anyOf(
      '(?:low|small|minor|tiny|negligible|modest|minimal|moderate) (?:[\\w-]+ )?(?:tax(?:es)?|fees?)',
      'tax(?:es)? (?:is|are|stays?|remains?) (?:[\\w-]+ )?(?:low|small|minor|tiny|negligible|modest|minimal)',
    ),
    isTrue: (facts) => areTaxes(facts, LOW_TAX_PERCENT),
  },
  {
    on: 'new tokens',
    says: anyOf(
      `${NOT} (?:[\\w-]+ ){0,4}?(?:mint\\w*|(?:new|more|further|additional) tokens)`,
      'mint\\w* (?:[\\w-]+ ){0,2}?(?:disabled|impossible|off|removed|closed|ended|not|never|cannot)',
      '(?:fixed|capped|final|constant|hard-capped) (?:[\\w-]+ )?supply|supply (?:is|was|stays|remains) (?:[\\w-]+ )?(?:fixed|capped|final|constant)',
      'supply (?:cannot|can never|will not|will never|does not)',
    ),
    isTrue: (facts) => !facts.has('risk.can_mint') && !facts.has('risk.powers_unknown'),
  },
  {
    on: 'new tokens',
    says: anyOf(
      `${UNLESS_NOT}(?:can (?:still )?(?:be minted|mint)|mintable)`,
      `${UNLESS_NOT}(?:more|new|further|additional) tokens can`,
    ),
    isTrue: (facts) => facts.has('risk.can_mint'),
  },
]

/** What is left open is no statement. */
const LEFT_OPEN =
  /\b(?:whether|what)\b[^.;:!?]*?\b(?:is|are|was) (?:not known|unknown)(?: in full)?(?=[.;!?]|$)|\b(?:nobody could tell|(?:is|are) (?:not known|unknown)) whether\b[^.,;:!?]*/gi
/** Numbers are compared with the facts elsewhere. */
const IN_NUMBERS =
  /\b\d[\d.]*(?: ?%| percent\b)[^.,;:!?]{0,40}?\b(?:locked(?: or (?:burnt|burned))?|burnt|burned)\b/gi
/** Said of purchases and sales, which leaves transfers open. */
const NOT_TAXED = /\bneither purchases nor sales are taxed\b/gi

/** A statement of the text that the facts do not make; undefined where there is none. */
export function findFalseClaim(text: string, all: readonly Fact[]): string | undefined {
  const facts = new Map(all.map((fact) => [fact.id, fact]))
  const isUntaxed = areTaxes(new Map([...facts].filter(([id]) => id !== 'transfer_tax_percent')), 0)
  const own = all.reduce((left, { says }) => left.replaceAll(says, ' '), text)
  const said = toPlainWords(isUntaxed ? own.replace(NOT_TAXED, ' ') : own)
    .replace(LEFT_OPEN, ' ')
    .replace(IN_NUMBERS, ' ')
  const found = CLAIMS.find(({ says, isTrue }) => says.test(said) && !isTrue(facts))
  return found && `a statement on ${found.on} that no fact makes`
}

const toPlainWords = (text: string) =>
  text
    .replace(/’/g, "'")
    .replace(/\b(?:can't|can not)\b/gi, 'cannot')
    .replace(/n't\b/gi, ' not')
    .replace(/\s+/g, ' ')
