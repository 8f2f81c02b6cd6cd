import { canonical } from './proofs.ts'
import { type Claim, COINS, isObject, namesOf, type Sent, shown } from './sent.ts'

/** The figures of a record as its methodology defines them. */
export function figuresOf(rows: Sent[]): Sent {
  const mean = (of: number[]) => (of.length ? of.reduce((sum, each) => sum + each, 0) / of.length : null)
  const count = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind)).length
  const revealed = rows.filter(({ kind }) => kind === 'reveal')
  const scored = revealed.filter(({ outcome }) => outcome !== 'unknown').map(toScore)
  const [n, called] = [scored.length, scored.filter(({ abstain }) => !abstain).map(({ hit }) => hit)]
  const [base_rate, brier] = [
    mean(scored.map(({ up }) => up)),
    mean(scored.map(({ p, up }) => (p - up) ** 2)),
  ]
  // Ten bins of equal mass, fewer below 200; what shares a ten-thousandth goes to the bin of the first of it.
  const sorted = n < 20 ? [] : scored.toSorted((a, b) => a.place - b.place)
  const rank = new Map(sorted.map(({ place }, at) => [place, at] as const).reverse())
  const binOf = ({ place = 0 }) => Math.floor(((rank.get(place) ?? 0) * Math.min(10, Math.floor(n / 20))) / n)
  const bins: Sent[] = [...Map.groupBy(sorted, binOf).values()].map((bin) => ({
    count: bin.length,
    lowest: (bin[0]?.place ?? 0) / 1e4,
    highest: ((bin.at(-1)?.place ?? 0) + 1) / 1e4,
    mean_probability: mean(bin.map(({ p }) => p)),
    up_rate: mean(bin.map(({ up }) => up)),
  }))
  const perBin = (of: (bin: Sent) => number) => mean(bins.flatMap((bin) => Array(bin.count).fill(of(bin))))
  return {
    entries: rows.length,
    committed: count('commit', 'reveal'),
    missed: count('missed', 'late'),
    late: count('late'),
    revealed: revealed.length,
    unknown: revealed.length - n,
    scored: n,
    called: called.length,
    hits: called.filter(Boolean).length,
    hit_rate: mean(called),
    base_rate,
    brier,
    bins,
    abstain_share: mean(revealed.map(({ prediction }) => +prediction.abstain)),
    log_loss: mean(scored.map(({ p, up }) => -Math.log(Math.max(1e-6, up ? p : 1 - p)))),
    skill: brier !== null && base_rate && base_rate < 1 ? 1 - brier / (base_rate * (1 - base_rate)) : null,
    ece: perBin((bin) => Math.abs(bin.mean_probability - bin.up_rate)),
    ece_noise_floor: perBin(({ count, mean_probability: p }) =>
      Math.sqrt((2 * p * (1 - p)) / (Math.PI * count)),
    ),
  }
}
const toScore = ({ prediction: { probability_up: p, abstain }, outcome, hit }: Sent) => ({
  p,
  up: +(outcome === 'UP'),
  abstain,
  hit: +hit,
  place: Math.min(9_999, Math.floor(p * 1e4)),
})
export const TOTALS = [
  'entries',
  'committed',
  'missed',
  'late',
  'revealed',
  'unknown',
  'scored',
  'called',
  'hits',
]
/** Equal in every member, but for the last digits, which depend on the order of adding up. */
function isSame(ours: Sent, theirs: Sent): boolean {
  if (typeof ours === 'number') return typeof theirs === 'number' && Math.abs(ours - theirs) < 1e-9
  if (typeof ours !== 'object' || ours === null) return ours === theirs
  const isAlike = isObject(theirs) && Array.isArray(ours) === Array.isArray(theirs)
  return (
    isAlike &&
    namesOf(ours, theirs).every((name) => Object.hasOwn(ours, name) && isSame(ours[name], theirs[name]))
  )
}

/** What is published of `rows` must be every figure of `names`, or all of them, and no other. */
export function checkFigures(rows: Sent[], theirs: Sent, of: string, claim: Claim, names?: string[]) {
  const all = figuresOf(rows)
  const ours = Object.fromEntries((names ?? Object.keys(all)).map((name) => [name, all[name]]))
  const others = namesOf(ours, theirs).filter(
    (name) => !isSame(ours[name], theirs?.[name]) || !Object.hasOwn(theirs, name),
  )
  const pick = (from: Sent) =>
    canonical(Object.fromEntries(others.map((name) => [name, from?.[name] ?? null])))
  claim(
    isObject(theirs) && others.length === 0,
    `the figures of ${shown(of)} are ${shown(pick(ours), 400)}, published as ${shown(pick(theirs), 400)}`,
  )
}
export function checkCalibration(rows: Sent[], { overall, coins }: Sent, claim: Claim) {
  checkFigures(rows, overall, 'all', claim)
  const coinsOf = (list: Sent[]) =>
    list
      .map((each) => shown(each?.coin))
      .sort()
      .join()
  claim(
    coinsOf(coins) === COINS.join(),
    `the figures are published of the coins ${shown(coinsOf(coins))}, not of ${COINS}`,
  )
  for (const { coin, ...theirs } of coins.filter(isObject))
    checkFigures(
      rows.filter((row) => row.coin === coin),
      theirs,
      coin,
      claim,
    )
}
