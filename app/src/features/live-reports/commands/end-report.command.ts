// Reports that a condition has ended.
import { reportResponse } from '#/features/live-reports/commands/report-response.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = reportResponse('end_report');

export const useEndReport = () => useCommand(command);
