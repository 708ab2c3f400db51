// Records that the user has informed the city about a hazard.
import { AppError } from '#/core/app-error.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { type ReportInput, reportInput } from '#/features/live-reports/commands/report-response.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = defineCommand<ReportInput, unknown>({
  name: 'inform_city',
  input: reportInput,
  async send({ reportId }, { client, key, request }) {
    const isRecorded = await request<boolean>(
      client.rpc('inform_city', { p_report_id: reportId, p_key: key }),
    );
    if (!isRecorded) throw new AppError('liveReports.hazards.notBeenThere', 409);
  },
  invalidates: ({ parkId }) => [parkKeys.status(parkId)],
});

export const useInformCity = () => useCommand(command);
