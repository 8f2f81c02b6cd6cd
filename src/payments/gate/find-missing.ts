import { ServiceError } from '../../core/service-error.ts'

/** Nobody is asked to sign for what does not exist, whatever the request carries. */
export async function findMissing(
  checkExists: () => void | Promise<void>,
): Promise<ServiceError | undefined> {
  try {
    await checkExists()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
