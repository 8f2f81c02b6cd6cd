import type { Group } from '../../catalog/group.ts'
import { diagnosis } from './diagnosis.ts'
import type { DiagnosisServices } from './services.ts'

export const diagnosisGroup: Group<DiagnosisServices> = {
  tag: 'diagnosis',
  about: 'What the facts about a token mean, in words. Rules decide; a language model may only phrase.',
  endpoints: [diagnosis],
}
