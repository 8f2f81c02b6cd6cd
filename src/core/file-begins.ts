import { closeSync, openSync, readSync } from 'node:fs'

/** Whether a file, however long, begins with these letters; a file that cannot be read begins with nothing. */
export function fileBegins(path: string, text: string): boolean {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const head = Buffer.alloc(text.length)
    readSync(file, head)
    return head.toString('latin1') === text
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
