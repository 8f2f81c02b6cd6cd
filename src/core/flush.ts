import { closeSync, fsyncSync, openSync } from 'node:fs'

/** To the disk, not only to the system's cache. */
export function flush(path: string): void {
  const handle = openSync(path, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Makes a rename durable. Windows cannot open a directory, and has no need to. */
export function flushDirectory(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
