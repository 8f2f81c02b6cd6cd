import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** With all that are above it. Node's own way to do so never ends where nothing can be made, such as in `/proc`. */
export function makeDirectory(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  mkdirSync(path)
}
