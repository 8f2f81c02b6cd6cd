/** A process of its own for one backup: copying a large ledger takes seconds, in which a service must go on serving. */
import { secret } from '../../core/secret.ts'
import { backupDirectory } from './backup.ts'

export type BackupJob = { dataDir: string; target: string; passphrase: string | undefined }
export type BackupReply = { settled: number; keys: number } | { fault: string }

process.once('message', (job: BackupJob) => {
  process.send?.(backUp(job))
  process.disconnect()
})

function backUp({ dataDir, target, passphrase }: BackupJob): BackupReply {
  try {
    const given = passphrase === undefined ? undefined : secret(passphrase)
    const { settled, keys } = backupDirectory({ dataDir, target, passphrase: given })
    return { settled, keys: keys.length }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
