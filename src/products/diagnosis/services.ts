import type { Writer } from '../../intel/writer/writer.ts'
import type { TokenServices } from '../tokens/services.ts'

export type DiagnosisServices = Pick<TokenServices, 'analyst' | 'lookup' | 'sourceOf'> & { writer: Writer }
