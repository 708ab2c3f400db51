// Says that the person told the city of a hazard.
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { type ReportInput, reportInput } from '#/features/live-reports/commands/report-answer.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = defineCommand<ReportInput, boolean>({
  name: 'inform_city',
  input: reportInput,
  send: ({ reportId }, { client, key, ask }) =>
    ask(client.rpc('inform_city', { p_report_id: reportId, p_key: key })),
  changes: ({ parkId }) => [parkKeys.status(parkId)],
  // The server believes who has been there.
  notDone: (written) => (written ? null : 'liveReports.hazards.notBeenThere'),
});

export const useInformCity = () => useCommand(command);
