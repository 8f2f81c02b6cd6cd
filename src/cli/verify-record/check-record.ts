import { checkCalibration, checkFigures, figuresOf, TOTALS } from './figures.ts'
import { createSeen, enterLeaf } from './leaves.ts'
import { type Claim, isObject, MOST_UNTRUE, type Sent, shown } from './sent.ts'
import { checkEnd, checkWitness } from './witnesses.ts'

const MEMBERS = {
  entries: ['an entry', 'index', 'leaf'],
  heads: ['a head', 'tree_size', 'root_hash', 'timestamp', 'key_id', 'signature'],
  anchors: ['an anchor', 'tree_size', 'root_hash', 'network', 'tx'],
}
/** Those of a list on the page from the leaf `from` on that can be looked at; every other one is named. */
function wellFormed(page: Sent, list: keyof typeof MEMBERS, from: number, claim: Claim): Sent[] {
  const [what, ...names] = MEMBERS[list]
  const isRight = (value: Sent, name: string) =>
    name === 'leaf'
      ? isObject(value)
      : /index|tree_size/.test(name)
        ? Number.isSafeInteger(value)
        : typeof value === 'string'
  return (page[list] ?? []).filter((each: Sent, n: number) => {
    const isIt = isObject(each) && names.every((name) => isRight(each[name], name))
    claim(isIt, `/record?from=${from}: ${list}[${n}] is malformed: expected ${what} with ${names.join(', ')}`)
    return isIt
  })
}

/** Goes through the replies of `/record/calibration` and then `/record`, and names everything that is untrue. */
export async function checkRecord(
  replies: AsyncIterable<Sent> | Iterable<Sent>,
  saved?: Sent,
  nowMs?: number,
) {
  const seen = createSeen()
  const { untrue, tree, rows } = seen
  const claim: Claim = (isTrue, text) => void (isTrue || untrue.length >= MOST_UNTRUE || untrue.push(text))
  let [published, page, isCompared]: Sent[] = []
  const compareAll = () => {
    if (published?.tree_size !== tree.size || tree.size !== (seen.head?.tree_size ?? 0)) return
    checkCalibration([...rows.values()], published, claim)
    isCompared = true
  }
  for await (const reply of replies) {
    ;[published, page] = reply.overall && !page ? [reply, page] : [published, reply]
    if (reply === published) compareAll()
    const from = tree.size
    const witnesses = [
      ...wellFormed(reply, 'heads', from, claim),
      ...wellFormed(reply, 'anchors', from, claim),
    ]
    const told = Map.groupBy([...(saved ? [saved] : []), ...witnesses], ({ tree_size }) => tree_size)
    for (const { index, leaf } of wellFormed(reply, 'entries', from, claim)) {
      claim(index === tree.size, `leaf ${tree.size} is numbered ${shown(index)}`)
      try {
        enterLeaf(seen, leaf, claim)
        for (const each of told.get(tree.size) ?? []) checkWitness(seen, each, saved, leaf.kind, claim)
        compareAll()
      } catch {
        claim(
          false,
          `leaf ${tree.size} is malformed: expected the members that the methodology lists for its kind`,
        )
      }
    }
    for (const { tree_size: size } of witnesses)
      claim(
        size > from && size <= tree.size,
        `a head or anchor of ${shown(size)} leaves is not over those that came with it`,
      )
    if (untrue.length >= MOST_UNTRUE) break
  }
  checkEnd(seen, page, saved, nowMs, claim)
  claim(
    !published || isCompared,
    `the figures are of ${shown(published?.tree_size)} leaves, over which there is no head among the ${tree.size} that were served`,
  )
  if (page?.totals) checkFigures([...rows.values()], page.totals, 'all', claim, TOTALS)
  const unchecked = [
    ...(published ? [] : ['the figures of /record/calibration: they were not given']),
    ...(page?.totals ? [] : ['the totals of /record: they were not given']),
  ]
  return {
    ...seen,
    unchecked,
    figuresSize: published?.tree_size,
    size: tree.size,
    figures: figuresOf([...rows.values()]),
  }
}
