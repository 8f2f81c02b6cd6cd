import { canonicalJson } from '../../core/canonical-json.ts'
import { createMerkleTree, hashLeaf } from '../../record/log/merkle-tree.ts'
import { type HeadKey, signHead, toPublicHead } from '../../record/log/signed-head.ts'
import type { Seeded } from '../seeded.ts'
import type { Entry } from './entry-checks.ts'
import { otherValue } from './tampering.ts'

/** Somewhere in the entry: another value, a member less or more, two parts exchanged, or a part of another entry. */
export function tamper(entry: Entry, entries: readonly Entry[], random: Seeded): string {
  const places = placesOf(entry)
  const { holder, name, path } = random.pick(places as [Place, ...Place[]])
  const other = structuredClone(entries[random.below(entries.length)])
  switch (random.below(5)) {
    case 0:
      delete holder[name]
      return `without ${path}`
    case 1:
      holder[`${name}_`] = 1
      return `more than ${path}`
    case 2: {
      const second = random.pick(places as [Place, ...Place[]])
      ;[holder[name], second.holder[second.name]] = [second.holder[second.name], holder[name]]
      return `${path} exchanged with ${second.path}`
    }
    case 3: {
      const part = random.pick(['leaves', 'head', 'proofs', 'first_head', 'id', 'state', 'window_start'])
      entry[part] = other[part]
      return `${part} of ${other.id}`
    }
    default:
      holder[name] = otherValue(holder[name])
      return `another ${path}`
  }
}

type Place = { holder: Entry; name: string; path: string }
function placesOf(value: Entry, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((name) => {
    const here = { holder: value, name, path: `${path}.${name}` }
    const isPlain = typeof value[name] !== 'object' || value[name] === null
    return isPlain ? [here] : placesOf(value[name], here.path)
  })
}

/** What somebody with a key can make of an entry: a log of its own, of these lines alone. */
export function forge(entry: Entry, key: HeadKey, change: (entry: Entry) => void = () => {}): Entry {
  change(entry)
  const tree = createMerkleTree()
  for (const { leaf } of entry.leaves) tree.append(hashLeaf(canonicalJson(leaf)))
  const headOf = (treeSize: number, timestamp: string) =>
    toPublicHead(
      signHead(key, {
        treeSize,
        rootHash: tree.root(treeSize).toString('hex'),
        atMs: Date.parse(timestamp),
        mode: 'sandbox',
      }),
    )
  const pathOf = (index: number, size: number) =>
    tree.inclusion(index, size).map((hash) => hash.toString('hex'))
  entry.leaves.forEach((each: Entry, n: number) => {
    each.index = n
    entry.proofs[n] = { kind: each.leaf.kind, leaf_index: n, path: pathOf(n, entry.leaves.length) }
  })
  entry.head = headOf(entry.leaves.length, entry.head.timestamp)
  entry.first_head = { head: headOf(1, entry.first_head.head.timestamp), path: pathOf(0, 1) }
  return entry
}
