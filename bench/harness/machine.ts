import { statfsSync } from 'node:fs'
import { cpus } from 'node:os'

const FILE_SYSTEMS: Record<number, string> = {
  16914836: 'tmpfs',
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
}

/** What all figures depend on. */
export function describeMachine(): string {
  const all = cpus()
  const model = all[0]?.model.trim() ?? 'unknown CPU'
  return `${all.length} x ${model}, Node ${process.version}, ${process.platform} ${process.arch}`
}

/** A demo call ends in an fsync, so its figures depend on the file system of the ledger. */
export function describeDisk(dir: string): string {
  const { type } = statfsSync(dir)
  return `ledger on ${FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`}`
}
