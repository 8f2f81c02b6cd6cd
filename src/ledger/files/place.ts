import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'

/** What tells a file from its copies. Numbers as text: they exceed what JSON numbers hold. */
const Place = z.object({ path: z.string(), inode: z.string(), bornNs: z.string() })
type Place = z.infer<typeof Place>

/** Of a file system that does not know when a file was made. */
const UNKNOWN_BIRTH = '0'

/** The place of a ledger file, as its identity holds it. `path` is given where the file is about to get another name. */
export function placeOf(file: string, path = file): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true })
  const place: Place = { path: realPath(path), inode: String(ino), bornNs: String(birthtimeNs) }
  return JSON.stringify(place)
}

export const pathIn = (place: string): string => parse(place).path

/**
 * Two of path, inode and time of birth differ, and not even a known time of birth is the same. So `mv` is no copy, and
 * neither are inodes that change with every mount, or a file system without times of birth.
 */
export function isCopy(recorded: string, found: string): boolean {
  const [before, now] = [parse(recorded), parse(found)]
  const isBornTogether = before.bornNs === now.bornNs && now.bornNs !== UNKNOWN_BIRTH
  const differing = (['path', 'inode', 'bornNs'] as const).filter((trait) => before[trait] !== now[trait])
  return !isBornTogether && differing.length > 1
}

const parse = (place: string): Place => Place.parse(JSON.parse(place))

/** Of the directory: the file itself need not be there yet. */
const realPath = (path: string) => join(realpathSync(dirname(path)), basename(path))
