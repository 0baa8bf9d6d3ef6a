/** Work on an output that is open → closed when the work is done; when it fails, aborted, so that nothing appears. */

interface Output {
  close(): Promise<void>;
  abort(): Promise<void>;
}

export async function closeOrAbort<Result>(output: Output, work: () => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await output.abort();
    throw error;
  }
  await output.close();
  return result;
}
