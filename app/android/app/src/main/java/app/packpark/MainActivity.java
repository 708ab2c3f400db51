package app.packpark;

import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {}
