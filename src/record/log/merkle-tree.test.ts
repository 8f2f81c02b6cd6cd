import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMerkleTree, hashLeaf } from './merkle-tree.ts'

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const node = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right)
const split = (count: number) => {
  let half = 1
  while (half * 2 < count) half *= 2
  return half
}

/** MTH as RFC 6962 defines it, from the texts of the leaves. */
function naiveRoot(texts: readonly string[]): Buffer {
  if (texts.length === 0) return sha256()
  const [only = ''] = texts
  if (texts.length === 1) return sha256(Buffer.from([0]), Buffer.from(only))
  const half = split(texts.length)
  return node(naiveRoot(texts.slice(0, half)), naiveRoot(texts.slice(half)))
}

/** PATH and SUBPROOF of sections 2.1.1 and 2.1.2, word for word. */
function naivePath(index: number, texts: readonly string[]): Buffer[] {
  if (texts.length <= 1) return []
  const half = split(texts.length)
  return index < half
    ? [...naivePath(index, texts.slice(0, half)), naiveRoot(texts.slice(half))]
    : [...naivePath(index - half, texts.slice(half)), naiveRoot(texts.slice(0, half))]
}
function naiveProof(first: number, texts: readonly string[], isWhole = true): Buffer[] {
  if (first === texts.length) return isWhole ? [] : [naiveRoot(texts)]
  const half = split(texts.length)
  return first <= half
    ? [...naiveProof(first, texts.slice(0, half), isWhole), naiveRoot(texts.slice(half))]
    : [...naiveProof(first - half, texts.slice(half), false), naiveRoot(texts.slice(0, half))]
}

const textsOf = (count: number) => Array.from({ length: count }, (_, n) => `leaf ${n}`)
function treeOf(texts: readonly string[]) {
  const tree = createMerkleTree()
  for (const text of texts) tree.append(hashLeaf(text))
  return tree
}
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

describe('the Merkle tree', () => {
  test('has the roots that RFC 6962 gives for the empty tree and for leaves of its test vectors', () => {
    const inputs = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ]
    const roots = [
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]
    const tree = createMerkleTree()
    for (const input of inputs)
      tree.append(
        createHash('sha256')
          .update(Buffer.from(`00${input}`, 'hex'))
          .digest(),
      )
    expect(roots.map((_, size) => tree.root(size).toString('hex'))).toEqual(roots)
  })

  test('agrees with the naive tree on every root, inclusion path and consistency proof', () => {
    const sizes = fc
      .integer({ min: 1, max: 150 })
      .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: all }), fc.nat({ max: all })))
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 0.999, noNaN: true }), ([all, second, shorter], part) => {
        const texts = textsOf(all)
        const tree = treeOf(texts)
        const then = texts.slice(0, second)
        const index = Math.floor(part * second)
        const first = Math.max(1, Math.min(shorter, second))
        expect(hex([tree.root(second)])).toEqual(hex([naiveRoot(then)]))
        expect(hex(tree.inclusion(index, second))).toEqual(hex(naivePath(index, then)))
        expect(hex(tree.consistency(first, second))).toEqual(hex(naiveProof(first, then)))
        expect(tree.inclusion(index, second).length).toBeLessThanOrEqual(Math.ceil(Math.log2(second)))
        expect(tree.consistency(first, second).length).toBeLessThanOrEqual(Math.ceil(Math.log2(second)) + 1)
      }),
      { numRuns: 500 },
    )
  })

  test('is the same after a failed append was taken back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 70 }), (kept, failed) => {
        const tree = treeOf([
          ...textsOf(kept),
          ...Array.from({ length: failed }, (_, n) => `never stored ${n}`),
        ])
        tree.truncate(kept)
        for (const text of textsOf(kept + 40).slice(kept)) tree.append(hashLeaf(text))
        expect(hex([tree.root(kept + 40)])).toEqual(hex([naiveRoot(textsOf(kept + 40))]))
      }),
    )
  })

  test('has no proof of what is not there', () => {
    const tree = treeOf(textsOf(5))
    expect(() => tree.inclusion(5, 5)).toThrow(RangeError)
    expect(() => tree.inclusion(0, 6)).toThrow(RangeError)
    expect(() => tree.inclusion(0.5, 5)).toThrow(RangeError)
    expect(() => tree.consistency(0, 5)).toThrow(RangeError)
    expect(() => tree.consistency(5, 4)).toThrow(RangeError)
    expect(() => tree.root(6)).toThrow(RangeError)
  })

  test('a proof among a hundred thousand leaves looks at no more than its logarithm', () => {
    const tree = treeOf(textsOf(100_000))
    expect(tree.inclusion(77_777, 100_000).length).toBeLessThanOrEqual(17)
    expect(tree.consistency(77_777, 100_000).length).toBeLessThanOrEqual(18)
  })
})
