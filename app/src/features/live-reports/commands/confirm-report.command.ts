// Confirms a condition that another user has reported.
import { reportResponse } from '#/features/live-reports/commands/report-response.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = reportResponse('confirm_report');

export const useConfirmReport = () => useCommand(command);
