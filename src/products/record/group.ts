import type { Group } from '../../catalog/group.ts'
import { recordCalibration } from './calibration.ts'
import { recordEntry } from './entry.ts'
import { recordProof } from './proof.ts'
import { record } from './record.ts'
import type { RecordServices } from './services.ts'
import { recordSummary } from './summary.ts'

export const recordGroup: Group<RecordServices> = {
  tag: 'record',
  about: 'What we predicted before each window opened, what came of it, and proofs that nothing was changed.',
  endpoints: [recordSummary, record, recordEntry, recordProof, recordCalibration],
}
