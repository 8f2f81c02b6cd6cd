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
 * Where both times of birth are known they decide: `mv` keeps it, every copy has its own. Else two of path, inode and
 * birth must differ: inodes may change with every mount, and some file systems know no times of birth.
 */
export function isCopy(recorded: string, found: string): boolean {
  const [before, now] = [parse(recorded), parse(found)]
  const isBirthKnown = before.bornNs !== UNKNOWN_BIRTH && now.bornNs !== UNKNOWN_BIRTH
  if (isBirthKnown) return before.bornNs !== now.bornNs
  return (['path', 'inode', 'bornNs'] as const).filter((trait) => before[trait] !== now[trait]).length > 1
}

const parse = (place: string): Place => Place.parse(JSON.parse(place))

/** Of the directory: the file itself need not be there yet. */
const realPath = (path: string) => join(realpathSync(dirname(path)), basename(path))
