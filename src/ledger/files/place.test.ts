import {
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { isCopy, placeOf } from './place.ts'

function ledgerIn(name: string) {
  const root = temporaryDir()
  const dir = join(root, name)
  mkdirSync(dir)
  const file = join(dir, 'ledger.sqlite')
  writeFileSync(file, 'x')
  passTime(root, file)
  return { root, dir, file, place: placeOf(file) }
}

/** A file system counts births in steps of milliseconds: a copy made at once would have that of the original. */
function passTime(root: string, file: string): void {
  const probe = join(root, 'probe')
  const bornNs = (path: string) => statSync(path, { bigint: true }).birthtimeNs
  do {
    rmSync(probe, { force: true })
    writeFileSync(probe, '')
  } while (bornNs(probe) === bornNs(file) && bornNs(file) !== 0n)
}

test('a copy is at another place, however it was made', () => {
  const { root, dir, file, place } = ledgerIn('a')
  cpSync(dir, join(root, 'b'), { recursive: true, preserveTimestamps: true })
  expect(isCopy(place, placeOf(join(root, 'b', 'ledger.sqlite')))).toBe(true)
  // The original is gone: what is at its path now is the copy.
  renameSync(dir, join(root, 'old'))
  renameSync(join(root, 'b'), dir)
  expect(isCopy(place, placeOf(file))).toBe(true)
})

test('the same file moved, linked or reached by another way is no copy', () => {
  const { root, dir, place } = ledgerIn('a')
  symlinkSync(dir, join(root, 'link'))
  expect(placeOf(join(root, 'link', 'ledger.sqlite'))).toBe(place)
  linkSync(join(dir, 'ledger.sqlite'), join(root, 'hard'))
  expect(isCopy(place, placeOf(join(root, 'hard')))).toBe(false)
  renameSync(dir, join(root, 'moved'))
  expect(isCopy(place, placeOf(join(root, 'moved', 'ledger.sqlite')))).toBe(false)
})

test.each([
  ['nothing', {}, false],
  ['the path: moved', { path: '/b' }, false],
  ['the inode: mounted anew where inodes are not kept', { inode: '2' }, false],
  ['the birth: a kernel that tells it, or none', { bornNs: '0' }, false],
  ['path and inode: moved where inodes are not kept', { path: '/b', inode: '2' }, false],
  ['the birth: a copy at the same path, on a disk that counts its inodes alike', { bornNs: '9' }, true],
  ['inode and birth: another machine', { inode: '2', bornNs: '9' }, true],
  ['path and birth: a new disk that counts its inodes alike', { path: '/b', bornNs: '9' }, true],
  ['inode and birth: now on a file system without times of birth', { inode: '2', bornNs: '0' }, true],
  ['all', { path: '/b', inode: '2', bornNs: '9' }, true],
])('what differs is %s', (_, change, expected) => {
  const place = { path: '/a', inode: '1', bornNs: '5' }
  expect(isCopy(JSON.stringify(place), JSON.stringify({ ...place, ...change }))).toBe(expected)
})

test('without times of birth, path and inode decide', () => {
  const place = (path: string, inode: string) => JSON.stringify({ path, inode, bornNs: '0' })
  expect(isCopy(place('/a', '1'), place('/b', '1'))).toBe(false)
  expect(isCopy(place('/a', '1'), place('/a', '2'))).toBe(false)
  expect(isCopy(place('/a', '1'), place('/b', '2'))).toBe(true)
})
