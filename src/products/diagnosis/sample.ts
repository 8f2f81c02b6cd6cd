import { toAssignment, toDiagnosis } from '../../intel/diagnosis/diagnose.ts'
import { BY_RULES } from '../../intel/writer/assignment.ts'
import { analysis } from '../tokens/samples.ts'
import { toReply } from './shown-diagnosis.ts'

/** Made by the code that makes the replies. */
export const sampleDiagnosis = toReply(
  analysis,
  toDiagnosis(analysis, {
    draft: toAssignment(analysis).byRules(),
    writtenBy: BY_RULES,
    fallbackReason: 'no_model',
  }),
  (source) => source,
)
