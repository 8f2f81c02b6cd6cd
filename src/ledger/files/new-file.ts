import { constants, copyFileSync, linkSync, rmSync } from 'node:fs'
import { flush } from '../../core/flush.ts'

/** Gives a complete file its name, unless something has that name already. */
export function nameFile(draft: string, name: string): void {
  addName(draft, name)
  rmSync(draft)
}

/** A second name for the same content; it never replaces anything. */
export function addName(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Error(`${name} exists already: nothing is ever overwritten, name another file`)
    // Some file systems have no hard links.
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    flush(name)
  }
}
