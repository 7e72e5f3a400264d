import { type Call, numberOption, type Work } from "./handler.ts";

/** Raises: the job's error is a string that contains JSON (runpod-api.md 3.4). */
export function raise(call: Call): Work {
  const { workerId, options } = call;
  const message = typeof options["message"] === "string" ? options["message"] : "bad prompt";
  const error = {
    error_type: "<class 'ValueError'>",
    error_message: message,
    error_traceback: `Traceback (most recent call last):\n  File "/handler.py", line 12, in handler\nValueError: ${message}\n`,
    hostname: `${workerId}-64411f2c`,
    worker_id: workerId,
    runpod_version: "1.12.0",
  };
  return {
    ms: numberOption(call, "sleepMs", 12),
    error: JSON.stringify(error),
    lines: [JSON.stringify({ requestId: call.jobId, message: "Captured Handler Exception", level: "ERROR" })],
  };
}
