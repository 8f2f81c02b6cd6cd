import { createHash } from 'node:crypto'

/**
 * The append-only tree of RFC 6962, section 2.1. The hash of every perfect subtree is kept, 64 bytes per leaf in all, so
 * that a root and a proof of any size up to the present one cost O(log² n) look-ups and hashes.
 */
export type MerkleTree = {
  readonly size: number
  append(leafHash: Buffer): void
  /** Drops the leaves from `size` on, after a write that failed. */
  truncate(size: number): void
  root(size: number): Buffer
  /** Proves that the leaf is in the tree of `size` leaves. */
  inclusion(index: number, size: number): Buffer[]
  /** Proves that the tree of `second` leaves begins with that of `first`. */
  consistency(first: number, second: number): Buffer[]
}

const HASH_BYTES = 32
const FIRST_CAPACITY = 64
const LEAF = Buffer.from([0x00])
const NODE = Buffer.from([0x01])

export const hashLeaf = (text: string): Buffer => createHash('sha256').update(LEAF).update(text).digest()

function hashNode(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest()
}

export function createMerkleTree(): MerkleTree {
  const levels: HashList[] = []
  let size = 0
  const levelAt = (height: number) => {
    levels[height] ??= createHashList()
    return levels[height]
  }
  /** Root hash of the leaves from `from` up to but not including `to`, which must form a subtree of RFC 6962. */
  const rangeHash = (from: number, to: number): Buffer => {
    const height = Math.log2(to - from)
    if (Number.isInteger(height)) return levelAt(height).read(from / 2 ** height)
    const middle = from + splitOf(to - from)
    return hashNode(rangeHash(from, middle), rangeHash(middle, to))
  }
  const checked = (count: number) => {
    if (!Number.isSafeInteger(count) || count < 0 || count > size)
      throw new RangeError(`there is no tree of ${count} leaves among ${size}`)
  }
  return {
    get size() {
      return size
    },
    append(leafHash) {
      let hash = leafHash
      levelAt(0).write(size, hash)
      for (let height = 0, index = size; index % 2 === 1; index = (index - 1) / 2) {
        hash = hashNode(levelAt(height).read(index - 1), hash)
        levelAt(++height).write((index - 1) / 2, hash)
      }
      size++
    },
    truncate(count) {
      checked(count)
      size = count
    },
    root(count) {
      checked(count)
      return count === 0 ? createHash('sha256').digest() : rangeHash(0, count)
    },
    inclusion(index, count) {
      checked(count)
      if (!Number.isSafeInteger(index) || index < 0 || index >= count)
        throw new RangeError(`no leaf ${index} among ${count}`)
      return inclusionPath(rangeHash, index, count)
    },
    consistency(first, second) {
      checked(second)
      if (!Number.isSafeInteger(first) || first < 1 || first > second)
        throw new RangeError(`the tree of ${second} leaves does not begin with one of ${first}`)
      return consistencyPath(rangeHash, first, second)
    },
  }
}

type RangeHash = (from: number, to: number) => Buffer

/** Descends to the leaf and collects the sibling subtree of each level; the lowest comes first. */
function inclusionPath(rangeHash: RangeHash, index: number, size: number): Buffer[] {
  const path: Buffer[] = []
  for (let from = 0, to = size; to - from > 1; ) {
    const middle = from + splitOf(to - from)
    path.push(index < middle ? rangeHash(middle, to) : rangeHash(from, middle))
    if (index < middle) to = middle
    else from = middle
  }
  return path.reverse()
}

/** Descends to where the first tree ends; its last subtree comes first unless that is the whole first tree. */
function consistencyPath(rangeHash: RangeHash, first: number, second: number): Buffer[] {
  const path: Buffer[] = []
  let [from, to] = [0, second]
  while (to !== first) {
    const middle = from + splitOf(to - from)
    path.push(first <= middle ? rangeHash(middle, to) : rangeHash(from, middle))
    if (first <= middle) to = middle
    else from = middle
  }
  if (from > 0) path.push(rangeHash(from, to))
  return path.reverse()
}

/** The largest power of two below `count`. */
function splitOf(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}

type HashList = { read(index: number): Buffer; write(index: number, hash: Buffer): void }

/** Hashes in one buffer that doubles when it is full. */
function createHashList(): HashList {
  let bytes = Buffer.alloc(FIRST_CAPACITY * HASH_BYTES)
  return {
    read: (index) => bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    write(index, hash) {
      if ((index + 1) * HASH_BYTES > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
      hash.copy(bytes, index * HASH_BYTES)
    },
  }
}
