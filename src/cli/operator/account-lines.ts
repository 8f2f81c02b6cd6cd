import type { OpeningStep } from '../../app/account/open-account.ts'
import type { AccountMoney, AccountView, Reading } from '../../app/account/view-account.ts'
import { toDecimal, type Usd } from '../../core/money.ts'
import type { Position } from '../../upstreams/polymarket/account-activity.ts'

const NAME_WIDTH = 16
const SHOWN_POSITIONS = 20
/** An order takes at least so much. */
const LEAST_CASH_E6 = 1_000_000n
/** No wallet ever holds it: the exchange was given everything. */
const UNLIMITED_E6 = 10n ** 30n
const OPEN = './tollbook account open'

/** One line for each fact, and what to do where something is missing. */
export function toAccountLines(view: AccountView): string {
  const { owner, wallet, place, isDeployed, money, positions } = view
  return [
    line('owner', owner),
    line('deposit wallet', wallet),
    line(
      'deployed',
      tell(isDeployed, (is) => (is ? 'yes' : `no: ${OPEN} makes it`)),
    ),
    ...moneyLines(money, wallet),
    line(
      'place',
      tell(place, ({ isBlocked, country }) =>
        isBlocked
          ? `Polymarket takes no orders from ${country}, where this machine is: run the service where it may trade`
          : `orders from ${country} are taken`,
      ),
    ),
    ...positionLines(positions),
  ].join('')
}

export const toStepLine = ({ name, isDone, what }: OpeningStep): string =>
  line(name, isDone ? what : `FAILED: ${what}`)

function moneyLines(money: AccountView['money'], wallet: string): string[] {
  const NO_KEY = `not known: Polymarket has no API key for the owner yet, ${OPEN} makes it`
  const told = (words: (money: AccountMoney) => string) =>
    tell(money, (value) => (value === 'no key' ? NO_KEY : words(value)))
  return [
    line(
      'cash',
      told(({ collateralE6 }) => {
        const cash = `${toDecimal(collateralE6 as Usd)} pUSD`
        return collateralE6 < LEAST_CASH_E6 ? `${cash}: send pUSD on Polygon to ${wallet}` : cash
      }),
    ),
    line(
      'allowance',
      told(({ allowanceE6 }) => {
        if (allowanceE6 >= UNLIMITED_E6) return 'the exchange may use all cash'
        return allowanceE6 > 0n
          ? `the exchange may use ${toDecimal(allowanceE6 as Usd)} pUSD: ${OPEN} lets it use all`
          : `the exchange may use nothing: ${OPEN} lets it`
      }),
    ),
  ]
}

function positionLines(positions: Reading<readonly Position[]>): string[] {
  if ('fault' in positions) return [line('positions', tell(positions, String))]
  const { value } = positions
  const shown = value.slice(0, SHOWN_POSITIONS)
  const more = value.length - shown.length
  return [
    line('positions', value.length === 0 ? 'none are open' : `${value.length} open`),
    ...shown.map(({ shares, outcome, title, slug }) => line('', `${shares} ${outcome}, ${title || slug}`)),
    ...(more > 0 ? [line('', `and ${more} more: see polymarket.com`)] : []),
  ]
}

const line = (name: string, text: string) => `${name.padEnd(NAME_WIDTH)} ${text}\n`

const tell = <T>(reading: Reading<T>, words: (value: T) => string): string =>
  'fault' in reading
    ? `not known (${reading.fault}): try again, or run ./tollbook doctor`
    : words(reading.value)
