/** The messages of Spark Connect that we send and read, as protobufjs takes them. What is not listed here is skipped by the decoder. */

type Field = readonly [number: number, type: string];

/** `*` before a type: repeated; `map:` before it: by string. */
function message(fields: Readonly<Record<string, Field>>) {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [id, type]]) => {
        if (type.startsWith('map:')) return [name, { id, type: type.slice(4), keyType: 'string' }];
        return [name, type.startsWith('*') ? { id, type: type.slice(1), rule: 'repeated' } : { id, type }];
      }),
    ),
  };
}

/** Numbers as in `spark/connect/*.proto` of Spark 4.1; they never change. */
export const protocol = {
  nested: {
    spark: {
      nested: {
        connect: {
          nested: {
            UserContext: message({ user_id: [1, 'string'] }),
            Relation: message({ read: [2, 'Read'], sql: [10, 'Sql'] }),
            Read: message({ data_source: [2, 'DataSource'] }),
            DataSource: message({
              format: [1, 'string'],
              schema: [2, 'string'],
              options: [3, 'map:string'],
              paths: [4, '*string'],
            }),
            Sql: message({ query: [1, 'string'] }),
            SqlCommand: message({ input: [6, 'Relation'] }),
            CreateView: message({ input: [1, 'Relation'], name: [2, 'string'], replace: [4, 'bool'] }),
            Command: message({ create_view: [3, 'CreateView'], sql_command: [5, 'SqlCommand'] }),
            Plan: message({ root: [1, 'Relation'], command: [2, 'Command'] }),
            ExecutePlanRequest: message({
              session_id: [1, 'string'],
              user_context: [2, 'UserContext'],
              plan: [3, 'Plan'],
              client_type: [4, 'string'],
            }),
            ArrowBatch: message({ row_count: [1, 'int64'], data: [2, 'bytes'] }),
            SqlCommandResult: message({ relation: [1, 'Relation'] }),
            StageInfo: message({ stage_id: [1, 'int64'], num_tasks: [2, 'int64'], num_completed_tasks: [3, 'int64'] }),
            ExecutionProgress: message({ stages: [1, '*StageInfo'] }),
            ExecutePlanResponse: message({
              arrow_batch: [2, 'ArrowBatch'],
              sql_command_result: [5, 'SqlCommandResult'],
              execution_progress: [18, 'ExecutionProgress'],
            }),
            ArtifactChunk: message({ data: [1, 'bytes'], crc: [2, 'int64'] }),
            SingleChunkArtifact: message({ name: [1, 'string'], data: [2, 'ArtifactChunk'] }),
            Batch: message({ artifacts: [1, '*SingleChunkArtifact'] }),
            AddArtifactsRequest: message({
              session_id: [1, 'string'],
              user_context: [2, 'UserContext'],
              batch: [3, 'Batch'],
            }),
            AddArtifactsResponse: message({}),
            ReleaseSessionRequest: message({ session_id: [1, 'string'], user_context: [2, 'UserContext'] }),
            ReleaseSessionResponse: message({}),
            InterruptRequest: message({
              session_id: [1, 'string'],
              user_context: [2, 'UserContext'],
              interrupt_type: [4, 'int32'],
            }),
            InterruptResponse: message({}),
            FetchErrorDetailsRequest: message({
              session_id: [1, 'string'],
              user_context: [2, 'UserContext'],
              error_id: [3, 'string'],
            }),
            ErrorDetails: message({ message: [2, 'string'] }),
            FetchErrorDetailsResponse: message({ errors: [2, '*ErrorDetails'] }),
            SparkConnectService: {
              methods: {
                ExecutePlan: {
                  requestType: 'ExecutePlanRequest',
                  responseType: 'ExecutePlanResponse',
                  responseStream: true,
                },
                AddArtifacts: {
                  requestType: 'AddArtifactsRequest',
                  responseType: 'AddArtifactsResponse',
                  requestStream: true,
                },
                FetchErrorDetails: {
                  requestType: 'FetchErrorDetailsRequest',
                  responseType: 'FetchErrorDetailsResponse',
                },
                Interrupt: { requestType: 'InterruptRequest', responseType: 'InterruptResponse' },
                ReleaseSession: { requestType: 'ReleaseSessionRequest', responseType: 'ReleaseSessionResponse' },
              },
            },
          },
        },
      },
    },
  },
};
